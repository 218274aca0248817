using System.Globalization;

namespace NzbDav.Torrents.Network;

/// <summary>A freely chosen port, stored in a file for the next start. Not thread-safe.</summary>
/// <param name="path">The file; null = the port is not stored.</param>
internal sealed class KeptPort(string? path)
{
    /// <summary>The stored port; 0 = none.</summary>
    public int Port { get; private set; } = Read(path);

    /// <summary>Stores another port. If that fails, the next start chooses a new one.</summary>
    public void Keep(int port)
    {
        if (path is null || port == Port)
            return;
        Port = port;
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, port.ToString(CultureInfo.InvariantCulture) + "\n");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The disk is full, or the folder is read-only.
        }
    }

    private static int Read(string? path)
    {
        try
        {
            var text = path is null ? "" : File.ReadAllText(path).Trim();
            return ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var port) ? port : 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }
}
