@echo off
rem Runs Maven: the one that this script unpacked earlier, else an installed one from 3.8 on,
rem else the one that .mvn\wrapper\maven-wrapper.properties names, which is downloaded once.
setlocal enabledelayedexpansion
set "home=%~dp0"
set "home=%home:~0,-1%"
for /f "usebackq tokens=1,* delims==" %%a in ("%home%\.mvn\wrapper\maven-wrapper.properties") do (
  if "%%a"=="distributionUrl" set "url=%%b"
  if "%%a"=="distributionSha256Sum" set "checksum=%%b"
)
for %%f in ("%url%") do set "archive=%%~nxf"
set "name=%archive:-bin.tar.gz=%"
set "unpacked=%USERPROFILE%\.m2\wrapper\%name%"
if exist "%unpacked%\bin\mvn.cmd" (
  set "maven=%unpacked%\bin\mvn.cmd"
  goto run
)
set "installed="
for /f "tokens=3" %%v in ('mvn -v 2^>nul ^| findstr /c:"Apache Maven"') do set "installed=%%v"
if defined installed (
  for /f "tokens=1,2 delims=." %%a in ("!installed!") do (
    if %%a gtr 3 set "maven=mvn"
    if %%a equ 3 if %%b geq 8 set "maven=mvn"
  )
)
if defined maven (
  echo mvnw: using the installed Maven !installed! 1>&2
  goto run
)
echo mvnw: no Maven 3.8 or newer is installed; downloading %url% 1>&2
if not exist "%USERPROFILE%\.m2\wrapper" mkdir "%USERPROFILE%\.m2\wrapper"
curl -fsSL -o "%TEMP%\%archive%" "%url%" || (
  echo mvnw: the download failed; install Maven 3.8 or newer, or check the network 1>&2
  exit /b 1
)
set "actual="
for /f "skip=1 tokens=1" %%h in ('certutil -hashfile "%TEMP%\%archive%" SHA256') do if not defined actual set "actual=%%h"
if /i not "!actual!"=="!checksum!" (
  echo mvnw: the download has the SHA-256 !actual!, but distributionSha256Sum in .mvn\wrapper\maven-wrapper.properties is '!checksum!'; nothing was unpacked 1>&2
  del "%TEMP%\%archive%"
  exit /b 1
)
tar -xzf "%TEMP%\%archive%" -C "%USERPROFILE%\.m2\wrapper" || exit /b 1
del "%TEMP%\%archive%"
set "maven=%unpacked%\bin\mvn.cmd"
:run
call "%maven%" %*
exit /b %errorlevel%
