using NzbDav.Access;
using NzbDav.Catalog;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;
using NzbDav.WebDav;

namespace NzbDav.Host.Holding;

/// <summary>What libraries have no more, and what people do about it: <c>/api/v1/library</c>.</summary>
internal static class LibraryEndpoints
{
    public static void MapLibrary(this WebApplication app)
    {
        var services = app.Services;
        app.MapGet("/api/v1/library", http => AnswerAsync(http, services)).Needs(ApiRights.Read);
        app.MapPost("/api/v1/library/sweep", http => SweepAsync(http, services)).Needs(ApiRights.Full);
        app.MapPost("/api/v1/library/keep", http => ActAsync(http, services, async (item, cancellationToken) =>
            await services.GetRequiredService<HoldStore>().KeepAsync(item.Id, services.GetRequiredService<TimeProvider>().GetUtcNow(), cancellationToken)
                ? null : "A library has it, or never had it: there is nothing to undo.")).Needs(ApiRights.Full);
        app.MapPost("/api/v1/library/delete", http => ActAsync(http, services, async (item, cancellationToken) =>
        {
            await services.GetRequiredService<TreeStore>().DeleteAsync(item.Id, cancellationToken);
            await services.GetRequiredService<HoldStore>().LoadAsync(cancellationToken);
            return null;
        })).Needs(ApiRights.Full);
    }

    private static async Task SweepAsync(HttpContext http, IServiceProvider services)
    {
        if (await JsonBody.ReadAsync(http, HoldingJson.Default.SweepBody) is not { } body)
            return;
        await services.GetRequiredService<LibraryKeeper>().SweepAsync(services.GetRequiredService<TimeProvider>().GetUtcNow(), body.Accept, http.RequestAborted);
        await AnswerAsync(http, services);
    }

    /// <param name="http">The call.</param>
    /// <param name="services">The server's.</param>
    /// <param name="act">Gives why it could not be done; null: it was.</param>
    private static async Task ActAsync(HttpContext http, IServiceProvider services, Func<CatalogItem, CancellationToken, Task<string?>> act)
    {
        if (await JsonBody.ReadAsync(http, HoldingJson.Default.PathBody) is not { } body)
            return;
        if (body.Path is null || StorePath.TryParse(string.Join('/', body.Path.Split('/').Select(Uri.EscapeDataString))) is not { Segments: [JobStore.ContentCollection, _, _, ..] names }
            || await services.GetRequiredService<TreeStore>().ResolveAsync(names, http.RequestAborted) is not { } item)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status422UnprocessableEntity, "There is no such job or file: write its path as /content/CATEGORY/JOB or /content/CATEGORY/JOB/FILE.");
        }
        else if (await act(item, http.RequestAborted) is { } refusal)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status409Conflict, refusal);
        }
        else
        {
            http.Response.StatusCode = StatusCodes.Status204NoContent;
        }
    }

    private static async Task AnswerAsync(HttpContext http, IServiceProvider services)
    {
        var (holds, tree) = (services.GetRequiredService<HoldStore>(), services.GetRequiredService<TreeStore>());
        var options = services.GetRequiredService<Live<KeepingOptions>>();
        var readings = await holds.ReadingsAsync(http.RequestAborted);
        var trialEnds = readings?.First + options.Value.Trial;
        var rows = new List<LostRow>();
        foreach (var file in await holds.ListLostAsync(http.RequestAborted))
        {
            if (await tree.GetPathAsync(file.ItemId, http.RequestAborted) is { } path)
                rows.Add(RowOf(file, "/" + string.Join('/', path), options.Value, trialEnds));
        }

        var libraries = LibraryWatch.Sources(options, services.GetRequiredService<ArrInstances>(), holds);
        var answer = new LibraryAnswer(
            [.. libraries.Select(library => library.Name)], readings?.Last, trialEnds, await holds.CountHeldAsync(http.RequestAborted), services.GetRequiredService<LibraryKeeper>().Last?.Problems ?? [], rows);
        await JsonReply.WriteAsync(http, StatusCodes.Status200OK, answer, HoldingJson.Default.LibraryAnswer);
    }

    private static LostRow RowOf(HeldFile file, string path, KeepingOptions rules, DateTimeOffset? trialEnds)
    {
        if (file.Kept is not null)
            return new LostRow(path, "Kept", file.Holder, file.Lost, null, null);
        var hideAt = file.Lost + rules.HideAfter;
        if (trialEnds > hideAt)
            hideAt = trialEnds.Value;
        return new LostRow(path, file.Hidden is null ? "Lost" : "Hidden", file.Holder, file.Lost, file.Hidden is null ? hideAt : null, (file.Hidden ?? hideAt) + rules.DeleteAfter);
    }
}
