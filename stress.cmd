@echo off
rem Runs stress.jar with the JDK of JAVA_HOME, or the java on the path. Builds the jar if it is missing: delete it after a change of the
rem sources. STRESS_AOT=off does without the start-up cache (docs/dev/start-up-cache.md).
setlocal
set "HERE=%~dp0"
set "JAR=%HERE%target\stress.jar"
set "JAVA=java"
if defined JAVA_HOME goto home
where java >nul 2>nul && goto java
echo stress: no JDK 17 or newer found; install one or set JAVA_HOME 1>&2
exit /b 3
:home
set "JAVA=%JAVA_HOME%\bin\java"
if exist "%JAVA%.exe" goto java
echo stress: JAVA_HOME is %JAVA_HOME%, which has no bin\java.exe 1>&2
exit /b 3
:java
if exist "%JAR%" goto built
where mvn >nul 2>nul && goto build
echo stress: cannot build the jar: no mvn found; install Maven 3.8 or newer 1>&2
exit /b 3
:build
echo stress: building %JAR%: a minute or two, and the first time Maven downloads libraries 1>&2
set "FAILED=%TEMP%\stress-build-%RANDOM%.failed"
pushd "%HERE%"
rem In a pipe, the exit code is that of its last command.
(call mvn -B -ntp -Prelease -Dmaven.test.skip=true -DskipTests -Dspotless.check.skip=true -Dforbiddenapis.skip=true -Dcyclonedx.skip=true -Dcompiler.checks=-XDnone package || echo failed>"%FAILED%") | findstr /B /L /C:"[ERROR]" 1>&2
popd
if exist "%FAILED%" (
  del "%FAILED%"
  echo stress: the build failed 1>&2
  exit /b 3
)
:built
rem The JVM does not start with two collectors, so one that the user chose replaces ours.
set "COLLECTOR=-XX:+UseParallelGC"
echo %JAVA_TOOL_OPTIONS% %JDK_JAVA_OPTIONS% %STRESS_JAVA_OPTS% | findstr /R "XX:+Use[A-Z0-9][A-Za-z0-9]*GC" >nul && set "COLLECTOR="
rem The start-up cache fits one jar, JDK and collector, and options of the JVM may not fit it.
set "AOT="
set "CACHE=%HERE%target\stress.aot"
if "%STRESS_AOT%"=="off" goto run
if defined JAVA_TOOL_OPTIONS goto run
if defined JDK_JAVA_OPTIONS goto run
if defined STRESS_JAVA_OPTS goto run
if not defined JAVA_HOME goto run
findstr /R "JAVA_VERSION=.2[5-9] JAVA_VERSION=.[3-9][0-9]" "%JAVA_HOME%\release" >nul 2>nul || goto run
for %%F in ("%JAR%") do set "FITS=%%~zF %%~tF"
for %%F in ("%JAVA_HOME%\release") do set "FITS=%FITS% %%~zF %%~tF"
call :fits && goto use
for %%A in (agent report settings generate suggest explain operations completion train help version -h --help --help-all -V --version) do if "%~1"=="%%A" goto run
if "%~1"=="-?" goto run
rem Ends here if the options are not valid, or if the command has done its work without a server.
set "PGSTRESS_CHECK=true"
"%JAVA%" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MaxRAMPercentage=25 -jar "%JAR%" %*
set "CODE=%ERRORLEVEL%"
set "PGSTRESS_CHECK="
if not "%CODE%"=="75" exit /b %CODE%
rem Failing to make it is no error, and is not tried again until the jar or the JDK changes.
echo stress: making a start-up cache, once: about 15 s (STRESS_AOT=off: without) 1>&2
"%JAVA%" %COLLECTOR% -XX:MaxRAMPercentage=25 "-XX:AOTCacheOutput=%CACHE%.new" -jar "%JAR%" train >"%CACHE%.log" 2>&1 <nul && move /y "%CACHE%.new" "%CACHE%" >nul 2>nul || del "%CACHE%" >nul 2>nul
if not exist "%CACHE%" echo stress: no start-up cache: see %CACHE%.log; without one, the first seconds are slower 1>&2
call :state
>"%CACHE%.key" echo %FITS% %STATE%
:use
if exist "%CACHE%" set AOT="-XX:AOTCache=%CACHE%" "-Xlog:aot*=off"
:run
"%JAVA%" %AOT% %COLLECTOR% -XX:MaxRAMPercentage=25 %STRESS_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%

rem The size and time of the cache.
:state
set "STATE=none"
if exist "%CACHE%" for %%F in ("%CACHE%") do set "STATE=%%~zF %%~tF"
exit /b 0

rem Whether the cache was made, or could not be made, for this jar and JDK, and has not changed since.
:fits
call :state
set "KEY="
if exist "%CACHE%.key" set /p KEY=<"%CACHE%.key"
if "%KEY%"=="%FITS% %STATE%" exit /b 0
exit /b 1
