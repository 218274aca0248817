using System.Diagnostics;
using System.Text.Json;
using NzbDav.FullNzbTester.Processes;

namespace NzbDav.FullNzbTester.Tests.Replay;

/// <summary>The whole program replays the fixture's recording.</summary>
public sealed class ReplayTests
{
    [Fact]
    public async Task A_recording_replays_with_the_right_bytes_and_its_wait()
    {
        var json = Path.GetTempFileName();
        try
        {
            var (code, said) = await StartAsync("--replay", Recordings.Evening, "--json", json);
            Assert.True(code == 0, said);
            using var figures = JsonDocument.Parse(await File.ReadAllTextAsync(json));
            var root = figures.RootElement;
            var (recorded, replayed) = (root.GetProperty("recorded"), root.GetProperty("replayed"));
            Assert.True(root.GetProperty("passed").GetBoolean());
            Assert.Equal(recorded.GetProperty("bytes").GetInt64(), root.GetProperty("bytes_compared").GetInt64());
            Assert.Equal(recorded.GetProperty("bytes").GetInt64(), replayed.GetProperty("bytes").GetInt64());

            // The same articles are missing; on a busy machine one of them may be asked of the other provider only.
            Assert.InRange(Missing(replayed, 0), 1, Missing(recorded, 0));

            // The late article is late again; how much of that the player notices depends on the build.
            Assert.InRange(replayed.GetProperty("waits").GetInt32(), 1, 30);
            Assert.Contains("longest wait", said, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(json);
        }
    }

    [Theory]
    [InlineData("--replay", "--speed", "2")]
    [InlineData("--replay", "nothing.jsonl")]
    [InlineData("--replay", "nothing.jsonl", "--speed", "0")]
    public async Task An_invalid_command_line_is_refused(params string[] arguments)
    {
        var (code, said) = await StartAsync(arguments);
        Assert.NotEqual(0, code);
        Assert.NotEmpty(said);
    }

    private static int Missing(JsonElement figures, int provider) => figures.GetProperty("providers").EnumerateArray()
        .Single(one => one.GetProperty("provider").GetInt32() == provider).GetProperty("missing").GetInt32();

    private static async Task<(int Code, string Said)> StartAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo(DotnetHost.Muxer, [DotnetHost.Server, .. arguments])
        { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("NzbDav__", StringComparison.OrdinalIgnoreCase))
            .ToArray())
            start.Environment.Remove(name);
        using var process = Process.Start(start)!;
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(5));
        await using var stop = limit.Token.Register(() => process.Kill(entireProcessTree: true));
        var said = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        var complained = process.StandardError.ReadToEndAsync(CancellationToken.None);
        await process.WaitForExitAsync(CancellationToken.None);
        return (process.ExitCode, await said + await complained);
    }
}
