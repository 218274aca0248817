using System.Net;
using System.Text.Json;

namespace NzbDav.Api.Tests.Native;

/// <summary>A page connected to <c>/api/v1/events</c>.</summary>
internal sealed class EventStream : IDisposable
{
    private static readonly TimeSpan Most = TimeSpan.FromSeconds(60);

    private readonly HttpResponseMessage _response;
    private readonly StreamReader _reader;

    private EventStream(HttpResponseMessage response, StreamReader reader)
    {
        _response = response;
        _reader = reader;
    }

    public HttpResponseMessage Response => _response;

    public static async Task<EventStream> OpenAsync(HttpClient http, string query = "", string? last = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v1/events" + query);
        if (last is not null)
            request.Headers.Add("Last-Event-ID", last);
        var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead).WaitAsync(Most);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return new EventStream(response, new StreamReader(await response.Content.ReadAsStreamAsync()));
    }

    /// <summary>The next event; null at the end of the stream.</summary>
    public async Task<(string Name, string? Id, JsonElement Data)?> NextAsync()
    {
        string? name = null, id = null, data = null;
        while (await _reader.ReadLineAsync().WaitAsync(Most) is { } line)
        {
            if (line.Length == 0)
                return (name!, id, JsonDocument.Parse(data!).RootElement);
            var colon = line.IndexOf(": ", StringComparison.Ordinal);
            switch (line[..colon])
            {
                case "event":
                    name = line[(colon + 2)..];
                    break;
                case "id":
                    id = line[(colon + 2)..];
                    break;
                default:
                    data = line[(colon + 2)..];
                    break;
            }
        }

        return null;
    }

    /// <summary>The next event with that name; others are skipped.</summary>
    public async Task<(string? Id, JsonElement Data)> NextAsync(string name)
    {
        while (true)
        {
            var next = await NextAsync() ?? throw new InvalidOperationException($"The stream ended before an event '{name}' came.");
            if (next.Name == name)
                return (next.Id, next.Data);
        }
    }

    public void Dispose()
    {
        _reader.Dispose();
        _response.Dispose();
    }
}
