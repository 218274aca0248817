using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>An answer: a status, a body and its media type. Errors are plain text, as in qBittorrent.</summary>
/// <param name="Status">HTTP status.</param>
/// <param name="Type">Media type.</param>
/// <param name="Body">The bytes of the body.</param>
internal sealed record QbitReply(int Status, string Type, ReadOnlyMemory<byte> Body)
{
    private const string PlainText = "text/plain; charset=UTF-8";
    private const string JsonText = "application/json";

    private static readonly JsonSerializerOptions Serializing = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static readonly JsonWriterOptions Writing = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>200 without a body: the answer to most commands.</summary>
    public static QbitReply Done { get; } = new(StatusCodes.Status200OK, PlainText, default);

    /// <summary>The answer to <c>auth/login</c> and <c>torrents/add</c>.</summary>
    public static QbitReply Ok { get; } = Text("Ok.");

    /// <inheritdoc cref="Ok"/>
    public static QbitReply Fails { get; } = Text("Fails.");

    /// <summary>The name under which a browser saves the answer; null: it does not.</summary>
    public string? FileName { get; init; }

    public static QbitReply Text(string text) => new(StatusCodes.Status200OK, PlainText, System.Text.Encoding.UTF8.GetBytes(text));

    /// <summary>An object or a dictionary, whose members or keys are written under their own names.</summary>
    public static QbitReply Json<T>(T value) =>
        new(StatusCodes.Status200OK, JsonText, JsonSerializer.SerializeToUtf8Bytes(value, Serializing));

    public static QbitReply Json(Action<Utf8JsonWriter> write)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output, Writing))
            write(writer);
        return new QbitReply(StatusCodes.Status200OK, JsonText, output.WrittenMemory);
    }

    /// <summary>An error.</summary>
    /// <param name="status">At least 400.</param>
    /// <param name="message">What is wrong; null: the reason phrase of the status.</param>
    public static QbitReply Error(int status, string? message = null) =>
        new(status, PlainText, System.Text.Encoding.UTF8.GetBytes(message ?? ReasonPhrases.GetReasonPhrase(status)));

    public static QbitReply BadRequest(string? message = null) => Error(StatusCodes.Status400BadRequest, message);

    public static QbitReply Forbidden(string? message = null) => Error(StatusCodes.Status403Forbidden, message);

    public static QbitReply NotFound() => Error(StatusCodes.Status404NotFound);

    public static QbitReply Conflict(string? message = null) => Error(StatusCodes.Status409Conflict, message);

    public async Task WriteAsync(HttpContext http)
    {
        var response = http.Response;
        response.StatusCode = Status;
        response.ContentType = Type;
        response.ContentLength = Body.Length;
        response.Headers.CacheControl = "no-store";
        if (FileName is { } name)
            response.Headers.ContentDisposition = new Microsoft.Net.Http.Headers.ContentDispositionHeaderValue(
                "attachment")
            { FileName = name }.ToString();
        if (!HttpMethods.IsHead(http.Request.Method))
            await response.Body.WriteAsync(Body, http.RequestAborted);
    }
}
