using System.ComponentModel;
using System.Diagnostics;
using NzbDav.Content;
using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Stages;

/// <summary>Opens the file with ffprobe, if that is installed and the file is a video.</summary>
internal static class FfprobeStage
{
    private static readonly string[] Streamable = [".mkv", ".webm", ".ts", ".m2ts", ".mpg", ".avi"];
    private static readonly string[] Videos = [.. Streamable, ".mp4", ".m4v", ".mov", ".wmv"];

    /// <summary>Feeds the file to ffprobe through a pipe, as far as ffprobe reads. A pipe cannot seek, so formats that may have their index
    /// at the end are skipped.</summary>
    /// <param name="stages">Runs the stage.</param>
    /// <param name="content">The file.</param>
    /// <param name="name">Its name, which shows its format; null for random bytes.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task OfStreamAsync(StageRunner stages, IContent content, string? name, CancellationToken cancellationToken)
    {
        if (name is null || !Is(Streamable, name))
            return;
        await stages.RunAsync("ffprobe", async (stage, token) =>
        {
            await using var stream = new CombinedStream(content, ReadIntent.Probe);
            await RunAsync(stages, stage, "content", ["-i", "pipe:0"], stream, token);
        }, cancellationToken);
    }

    /// <summary>Lets ffprobe open the file over HTTP, where it seeks as players do.</summary>
    public static async Task OfUrlAsync(StageRunner stages, Uri url, string authorization, CancellationToken cancellationToken) =>
        await stages.RunAsync("ffprobe", async (stage, token) =>
        {
            if (Is(Videos, url.AbsolutePath))
                await RunAsync(
                    stages, stage, "webdav", ["-headers", $"Authorization: {authorization}\r\n", "-i", url.AbsoluteUri], null, token);
            else
                stage.Say("ffprobe", "no video");
        }, cancellationToken);

    private static bool Is(string[] kinds, string path) => kinds.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase);

    private static async Task RunAsync(
        StageRunner stages, Stage stage, string level, string[] input, Stream? stream, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("ffprobe",
            ["-v", "error", .. input, "-show_entries", "format=format_name,duration", "-of", "default=noprint_wrappers=1:nokey=1"])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var started = stages.Time.GetTimestamp();
        using var process = TryStart(start);
        if (process is null)
        {
            stage.Say("ffprobe", "not installed");
            return;
        }

        await using var registration = cancellationToken.Register(() => process.Kill());
        var said = process.StandardOutput.ReadToEndAsync(cancellationToken);
        var complained = process.StandardError.ReadToEndAsync(cancellationToken);
        await FeedAsync(stream, process, cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        var ms = stages.Time.GetElapsedTime(started).TotalMilliseconds;
        var found = (await said).Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (process.ExitCode == 0 && found.Length > 0)
        {
            stage.Add("ffprobe, ms", new Figure($"{level}_ffprobe_ms", ms));
            stage.Say("ffprobe says", string.Join(", ", found));
        }
        else
        {
            stage.Fail($"ffprobe cannot read the file: {(await complained).Trim()}");
        }
    }

    private static async Task FeedAsync(Stream? stream, Process process, CancellationToken cancellationToken)
    {
        try
        {
            if (stream is not null)
                await stream.CopyToAsync(process.StandardInput.BaseStream, cancellationToken);
            process.StandardInput.Close();
        }
        catch (IOException e) when (e is not ContentException)
        {
            // ffprobe has read enough and closed the pipe.
        }
    }

    private static Process? TryStart(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start);
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
