using System.Text;
using NzbDav.Content.Recording;

namespace NzbDav.FullNzbTester.Tests.Replay;

/// <summary>Recordings for tests.</summary>
internal static class Recordings
{
    /// <summary>
    /// Seven seconds of a film from two providers. The first lacks every fifth article; the second is slow for two seconds, for which the
    /// player waits once.
    /// </summary>
    public static string Evening { get; } = Path.Combine(AppContext.BaseDirectory, "Fixtures", "evening.jsonl");

    public static async Task<Recording> EveningAsync()
    {
        await using var file = File.OpenRead(Evening);
        return await RecordingReader.ReadAsync(file, CancellationToken.None);
    }

    /// <summary>A recording of these lines, with the first and the last line around them.</summary>
    public static Task<Recording> ReadAsync(params string[] lines)
    {
        string[] all = ["""{"kind":"recording","version":1,"begun":"2026-11-20T20:15:00+00:00","by":"0.1.0"}""", .. lines, $$"""{"kind":"over","lines":{{lines.Length + 1}}}"""];
        return RecordingReader.ReadAsync(new MemoryStream(Encoding.UTF8.GetBytes(string.Join('\n', all) + '\n')), CancellationToken.None);
    }
}
