using System.Globalization;
using System.IO.Compression;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Events;
using NzbDav.Library.Recordings;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Streams;

/// <summary>The current readers: <c>/api/v1/streams</c>.</summary>
internal static class StreamEndpoints
{
    private const string Gzip = "application/gzip";
    private const string Unknown = "The stream with this number has requested nothing in the last five minutes.";

    public static void MapStreams(this IEndpointRouteBuilder api)
    {
        var streams = api.MapGroup("/streams").WithTags("streams");
        streams.MapGet("", ListAsync).Needs(ApiRights.Read).WithName("listStreams");
        streams.MapGet("/recording", RecordAllAsync).Needs(ApiRights.Read).WithName("recordStreams")
            .Produces(StatusCodes.Status200OK, contentType: Gzip);
        streams.MapGet("/{id}/recording", RecordAsync).Needs(ApiRights.Read).WithName("recordStream")
            .Produces(StatusCodes.Status200OK, contentType: Gzip)
            .Produces<ErrorBody>(StatusCodes.Status404NotFound);
        streams.MapGet("/{id}/timeline", ShowAsync).Needs(ApiRights.Read).WithName("tellStream");
        streams.MapDelete("/{id}", End).Needs(ApiRights.Change).WithName("endStream");
    }

    private static Task<IResult> RecordAllAsync(Recordings recordings, TimeProvider time, CancellationToken cancellationToken) =>
        WriteAsync(recordings, stream: null, time, cancellationToken);

    private static async Task<IResult> RecordAsync(
        Recordings recordings, TimeProvider time, string id, CancellationToken cancellationToken) =>
        NumberOf(id) is { } stream && recordings.HasStream(stream)
            ? await WriteAsync(recordings, stream, time, cancellationToken) : TypedResults.NotFound(new ErrorBody(Unknown));

    private static async Task<Results<Ok<StreamTimelineBody>, NotFound<ErrorBody>>> ShowAsync(
        StreamHistory history, string id, CancellationToken cancellationToken) =>
        NumberOf(id) is { } stream && await history.ReadAsync(stream, cancellationToken) is { } told
            ? TypedResults.Ok(told) : TypedResults.NotFound(new ErrorBody(Unknown));

    private static long? NumberOf(string id) =>
        long.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static async Task<IResult> WriteAsync(
        Recordings recordings, long? stream, TimeProvider time, CancellationToken cancellationToken)
    {
        // Built in memory: it is a few MB at most, and a failure can still be answered with an error.
        var packed = new MemoryStream();
        await using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
            await recordings.WriteAsync(gzip, stream, cancellationToken);
        return TypedResults.File(packed.ToArray(), Gzip,
            time.GetUtcNow().UtcDateTime.ToString("'nzbdav-streams-'yyyyMMdd'T'HHmmss'Z.jsonl.gz'", CultureInfo.InvariantCulture));
    }

    private static async Task<Ok<StreamListBody>> ListAsync(StreamList list, CancellationToken cancellationToken) =>
        TypedResults.Ok(await list.ReadAsync(cancellationToken));

    private static Results<NoContent, NotFound<ErrorBody>> End(ActiveStreams streams, string id) =>
        streams.End(id) ? TypedResults.NoContent() : TypedResults.NotFound(new ErrorBody("This stream no longer exists."));
}

/// <summary>Registers the services of the stream routes.</summary>
internal static class StreamsSetup
{
    public static void AddStreams(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, StreamsJson.Default));
        services.TryAddSingleton<IFilmLengths, FilmLengths>();
        services.TryAddSingleton<ActiveStreams>();
        services.AddSingleton<StreamList>();
        services.AddSingleton<StreamHistory>();
        services.AddTopic<StreamsTopic, StreamListBody>();
    }
}

/// <summary>JSON serialization of streams.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(StreamListBody))]
[JsonSerializable(typeof(StreamTimelineBody))]
internal sealed partial class StreamsJson : JsonSerializerContext;
