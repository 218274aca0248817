using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>The event stream of a whole server.</summary>
public sealed class EventStreamTests
{
    [Fact]
    public async Task The_event_stream_reports_an_import_and_ends_cleanly_when_the_server_stops()
    {
        await using var news = new NewsServers();
        var stopped = false;
        var gateway = await Gateway.StartAsync(news);
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root), Timeout = Deadline.Long };
        try
        {
            http.DefaultRequestHeaders.Add("X-Api-Key", await File.ReadAllTextAsync(Path.Combine(gateway.ConfigFolder, "keys", "api")));
            using var reader = new StreamReader(await http.GetStreamAsync("/api/v1/events"));
            Assert.Equal("event: hello", await LineAsync("event: "));
            await gateway.ImportAsync("Film", news.Post("Film.mkv", 1_000_000));
            var seen = "";
            while (!seen.Contains("\"state\":\"completed\"", StringComparison.Ordinal))
            {
                Assert.Equal("event: jobs", await LineAsync("event: jobs"));
                seen = await LineAsync("data: ");
            }

            Assert.Contains("\"path\":\"/content/movies/Film\"", seen, StringComparison.Ordinal);

            // A clean end: a stop that has to abort the stream throws here.
            stopped = true;
            await gateway.DisposeAsync();
            await reader.ReadToEndAsync().WaitAsync(Deadline.Long);

            async Task<string> LineAsync(string beginning)
            {
                while (await reader.ReadLineAsync().WaitAsync(Deadline.Long) is { } line)
                {
                    if (line.StartsWith(beginning, StringComparison.Ordinal))
                        return line;
                }

                throw new InvalidOperationException($"The stream ended before a line '{beginning}'.");
            }
        }
        finally
        {
            if (!stopped)
                await gateway.DisposeAsync();
        }
    }
}
