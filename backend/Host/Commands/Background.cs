using System.Diagnostics;

namespace NzbDav.Host.Commands;

/// <summary>Lets a command stand behind a server on the same machine: streams come first.</summary>
internal static class Background
{
    /// <summary>From here on this process gets what processor time others leave (nice 19 on Linux).</summary>
    public static void Yield()
    {
        try
        {
            using var self = Process.GetCurrentProcess();
            self.PriorityClass = ProcessPriorityClass.Idle;
        }
        catch (Exception e) when (e is System.ComponentModel.Win32Exception or InvalidOperationException or PlatformNotSupportedException)
        {
            // It does its work all the same.
        }
    }
}
