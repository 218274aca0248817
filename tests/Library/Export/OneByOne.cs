using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text;

namespace NzbDav.Library.Tests.Export;

/// <summary>
/// The obvious way to write a library, for comparison: file after file, each under a temporary name first, with mode and time set. Times
/// each operation.
/// </summary>
/// <param name="root">The folder.</param>
internal sealed class OneByOne(string root)
{
    private readonly List<(string Operation, long Ticks)> _times = [];

    /// <summary>The time of each operation.</summary>
    public IEnumerable<(string Operation, TimeSpan Time)> Times => _times.GroupBy(static time => time.Operation, static time => time.Ticks)
        .Select(static group => (group.Key, TimeSpan.FromSeconds(group.Sum() / (double)Stopwatch.Frequency)));

    /// <summary>Writes one file.</summary>
    public void Write(string path, string text, DateTime modified)
    {
        var target = Path.Combine(root, path);
        var part = target + ".part";
        Time("make the folder", () => Directory.CreateDirectory(Path.GetDirectoryName(target)!));
        if (Time("look", () => File.Exists(target)))
            return;
        var file = Time(
            "create a temporary file", () => new FileStream(part, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0));
        try
        {
            Time("write", () => file.Write(Encoding.UTF8.GetBytes(text)));
        }
        finally
        {
            Time("close", file.Dispose);
        }

        Time("rename", () => File.Move(part, target));
        if (!OperatingSystem.IsWindows())
            Time("set the mode", target, SetMode);
        Time("set the time", () => File.SetLastWriteTimeUtc(target, modified));
        Time("remove what is left", () => File.Delete(part));
    }

    [UnsupportedOSPlatform("windows")]
    private static void SetMode(string path) =>
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead);

    private void Time(string operation, string path, Action<string> action)
    {
        var begun = Stopwatch.GetTimestamp();
        action(path);
        _times.Add((operation, Stopwatch.GetTimestamp() - begun));
    }

    private void Time(string operation, Action action) => Time(operation, () =>
    {
        action();
        return true;
    });

    private T Time<T>(string operation, Func<T> action)
    {
        var begun = Stopwatch.GetTimestamp();
        var result = action();
        _times.Add((operation, Stopwatch.GetTimestamp() - begun));
        return result;
    }
}
