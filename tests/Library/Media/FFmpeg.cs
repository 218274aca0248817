using System.Diagnostics;
using System.Text.Json;

namespace NzbDav.Library.Tests.Media;

/// <summary>Uses ffmpeg to make files and ffprobe for comparison.</summary>
internal static class FFmpeg
{
    /// <summary>False if ffmpeg is not installed.</summary>
    public static bool IsThere { get; } = Array.Exists(["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"],
        folder => File.Exists(Path.Combine(folder, "ffmpeg")) && File.Exists(Path.Combine(folder, "ffprobe")));

    /// <summary>Two seconds of a test picture and two tones.</summary>
    public static Task MakeAsync(string path, string arguments) =>
        RunAsync(
            "ffmpeg",
            $"-hide_banner -loglevel error -y -f lavfi -i testsrc2=size=320x180:rate=24:duration=2 -f lavfi -i " +
            $"sine=frequency=440:duration=2 -f lavfi -i sine=frequency=880:duration=2 {arguments} {path}");

    public static async Task<JsonElement> ProbeAsync(string path) =>
        JsonDocument.Parse(await RunAsync("ffprobe", $"-v error -show_streams -show_format -of json {path}")).RootElement;

    private static async Task<string> RunAsync(string program, string arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true
        })!;
        process.StandardInput.Close();
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{program} {arguments}: {await errors}");
        return output;
    }
}
