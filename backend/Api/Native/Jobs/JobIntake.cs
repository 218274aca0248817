using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Adds files and links that people submit. Adding something a second time creates no second job. Thread-safe.</summary>
internal sealed class JobIntake(
    NzbIntake posts, TorrentIntake torrents, UrlGrabs grabs, SabCategories categories, JobStore jobs, JobView view, TimeProvider time)
{
    /// <summary>The request for jobs of this category; null if the category's name cannot be a folder name.</summary>
    public async ValueTask<IntakeRequest?> RequestAsync(
        string? category, int? priority, string? password, bool? paused, CancellationToken cancellationToken)
    {
        if (await categories.ChooseAsync(string.IsNullOrEmpty(category) ? null : category, cancellationToken) is not { } known)
            return null;
        return new IntakeRequest
        {
            FileName = "",
            Source = JobSource.Api,
            Category = known,
            Priority = Math.Clamp(priority ?? JobPriority.Normal, JobPriority.Low, JobPriority.Force),
            Password = string.IsNullOrEmpty(password) ? null : password,
            Paused = paused ?? false,
            ReuseDuplicates = true,
            RecordsRefusals = false,
        };
    }

    /// <summary>Adds a file. A zip may give several results.</summary>
    public async Task<IReadOnlyList<AddResultBody>> AddFileAsync(
        string name, IntakeFile file, IntakeRequest request, CancellationToken cancellationToken)
    {
        if (file is { Length: 0, IsTooLarge: false })
            return [new AddResultBody(name, null, "The file is empty.", Duplicate: false)];
        var isTorrent = !file.IsTooLarge && (TorrentIntake.Accepts(name) || TorrentIntake.IsTorrent(file));
        var fileName = isTorrent && !TorrentIntake.Accepts(name) ? name + TorrentIntake.TorrentEnding : name;
        var taken = isTorrent
            ? await torrents.AddAsync(request with { FileName = fileName }, file, cancellationToken)
            : await posts.AddAsync(request with { FileName = fileName }, file, cancellationToken);
        if (taken.Jobs.Count == 0)
            return [new AddResultBody(name, null, taken.Error, Duplicate: false)];
        var results = new List<AddResultBody>();
        foreach (var job in taken.Jobs)
            results.Add(new AddResultBody(
                taken.Jobs.Count > 1 ? job.Name : name, await view.OfAsync(job, cancellationToken), taken.Error, taken.Duplicate));
        results.AddRange(taken.Refused.Select(error => new AddResultBody(name, null, error, Duplicate: false)));
        return results;
    }

    /// <summary>Adds a link: a magnet link at once, any other address to be fetched.</summary>
    public async Task<AddResultBody> AddLinkAsync(string link, IntakeRequest request, CancellationToken cancellationToken)
    {
        link = link.Trim();
        if (link.StartsWith("magnet:", StringComparison.OrdinalIgnoreCase))
        {
            var taken = await torrents.AddMagnetAsync(link, request, cancellationToken);
            return new AddResultBody(taken.Job?.Name ?? "magnet link",
                taken.Job is { } job ? await view.OfAsync(job, cancellationToken) : null, taken.Error, taken.Duplicate);
        }

        if (!Uri.TryCreate(link, UriKind.Absolute, out var address) || address.Scheme is not ("http" or "https"))
            return new AddResultBody(Shorten(link), null,
                "This is neither a magnet link nor an address that begins with http:// or https://.", Duplicate: false);
        var file = Uri.UnescapeDataString(address.Segments[^1].Trim('/'));
        var grab = new UrlGrab
        {
            Id = jobs.NewId(),
            Url = link,
            Name = file.Length > 0 ? $"{file} ({address.Host})" : address.Host,
            Category = request.Category!,
            Priority = request.Priority,
            Paused = request.Paused,
            Password = request.Password,
            Added = time.GetUtcNow(),
            ByPerson = true,
        };
        await grabs.AddAsync(grab, cancellationToken);
        return new AddResultBody(JobView.Shown(link), JobView.Of(grab), null, Duplicate: false);
    }

    private static string Shorten(string text) => text.Length <= 80 ? text : text[..79] + "…";
}

/// <summary>The result of adding a file or a link.</summary>
/// <param name="Name">The file's name, or the link without parts that may be secret.</param>
/// <param name="Job">The job; null if there is none.</param>
/// <param name="Error">Why there is no job, or why it failed at once; null on success.</param>
/// <param name="Duplicate">The job existed already.</param>
internal sealed record AddResultBody(string Name, JobBody? Job, string? Error, bool Duplicate);
