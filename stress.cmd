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
"%JAVA%" -XX:+UseParallelGC %STRESS_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
