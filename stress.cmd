@echo off
rem Runs stress.jar with the JDK of JAVA_HOME, or the java on the path. Builds the jar if it is missing.
setlocal
set "HERE=%~dp0"
set "JAR=%HERE%target\stress.jar"
if not exist "%JAR%" (
  pushd "%HERE%"
  call mvn -B -q -ntp -DskipTests -Dspotless.check.skip=true package || (popd & exit /b 3)
  popd
)
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
rem The JVM does not start with two collectors, so one that the user chose replaces ours.
set "COLLECTOR=-XX:+UseParallelGC"
echo %JAVA_TOOL_OPTIONS% %JDK_JAVA_OPTIONS% %STRESS_JAVA_OPTS% | findstr /R "XX:+Use[A-Z0-9][A-Za-z0-9]*GC" >nul && set "COLLECTOR="
"%JAVA%" %COLLECTOR% %STRESS_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
