using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests;

/// <summary>The stream of events of a whole server.</summary>
public sealed class EventStreamTests
{
    [Fact]
    public async Task A_page_sees_a_dropped_post_become_files_and_the_stream_ends_with_the_server()
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

            // In peace: what the stop has to break ends with an exception here.
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
