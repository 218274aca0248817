using NzbDav.Access;
using NzbDav.Catalog;
using NzbDav.Library;
using NzbDav.WebDav;

namespace NzbDav.Host.Links;

/// <summary>Links to single files for people without a password: <c>/api/v1/links</c>.</summary>
internal static class LinkEndpoints
{
    private const int DefaultHours = 24;
    private const int MostHours = 8_760;

    /// <param name="app">Where.</param>
    /// <param name="revoke">Makes links open nothing any more; those in .strm files too if it is told so.</param>
    public static void MapLinks(this WebApplication app, Action<bool> revoke)
    {
        app.MapPost("/api/v1/links", http => MakeAsync(http, app.Services)).Needs(ApiRights.Full);
        app.MapDelete("/api/v1/links", (bool strm = false) => Revoke(revoke, strm)).Needs(ApiRights.Full);
    }

    private static async Task MakeAsync(HttpContext http, IServiceProvider services)
    {
        if (await JsonBody.ReadAsync(http, LinksJson.Default.LinkBody) is not { } body)
            return;
        if (body.Hours is < 1 or > MostHours)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status422UnprocessableEntity, $"A link lasts 1 to {MostHours} hours.");
            return;
        }

        if (body.Path is null || StorePath.TryParse(string.Join('/', body.Path.Split('/').Select(Uri.EscapeDataString))) is not { Segments: [JobStore.ContentCollection, ..] segments }
            || await services.GetRequiredService<TreeStore>().ResolveAsync(segments, http.RequestAborted) is not { IsCollection: false } item)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status422UnprocessableEntity, "There is no such file: write its path as /content/CATEGORY/JOB/FILE.");
            return;
        }

        // By its id: the file may be renamed while the link holds.
        var expires = services.GetRequiredService<TimeProvider>().GetUtcNow().AddHours(body.Hours ?? DefaultHours);
        var link = services.GetRequiredService<ViewLinks>().PathTo(StorePath.TryParse(LibraryStore.StablePath(item.Id))!, item.Name, expires);
        await JsonReply.WriteAsync(http, StatusCodes.Status201Created, new LinkAnswer(services.GetRequiredService<LiveAccess>().Current.UrlBase.Value + link, expires), LinksJson.Default.LinkAnswer);
    }

    private static IResult Revoke(Action<bool> revoke, bool strm)
    {
        try
        {
            revoke(strm);
            return Results.NoContent();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return JsonReply.Error(StatusCodes.Status503ServiceUnavailable, $"The key of links cannot be written: {e.Message}");
        }
    }
}
