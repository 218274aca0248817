using Microsoft.AspNetCore.Http;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Jobs;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Formats;

/// <summary>Bodies of calls to the native API: each input is read as three kinds of body.</summary>
internal sealed class JsonTarget() : FuzzTarget("json", "JSON bodies")
{
    private const int Most = 6 << 10;

    public override IReadOnlyList<byte[]> Words { get; } = [
        .. "{|}|[|]|\"|:|,|null|true|1e999|-0|\\u0000|\\ud800|\"ids\":|\"action\":|\"filter\":|\"links\":|[[[[[[[[|//|\ufeff".Split('|')
        .Select(Text)];

    public override long MostAllocated(int length) => (1 << 20) + (500L * length);

    public override object? Run(byte[] input, Cuts cuts)
    {
        var action = Read(input, cuts, http => JsonBody.ReadAsync(http, JobsJson.Default.JobsActionBody, Most));
        var links = Read(input, cuts, http => JsonBody.ReadAsync(http, JobsJson.Default.AddLinksBody, Most));
        var queue = Read(input, cuts, http => JsonBody.ReadAsync(http, JobsJson.Default.QueueChangeBody, Most));
        return (action, links, queue);
    }

    private static (object? Body, int Status) Read<T>(byte[] input, Cuts cuts, Func<HttpContext, ValueTask<T?>> read)
        where T : class
    {
        var http = new DefaultHttpContext();
        http.Request.ContentType = "application/json";
        http.Request.Body = new CutStream(input, cuts);
        var body = Synchronously.Wait(read(http));
        BrokenPromiseException.ThrowUnless(body is null == http.Response.StatusCode >= 400, "A refused body is answered with an error.");
        return (body, http.Response.StatusCode);
    }
}
