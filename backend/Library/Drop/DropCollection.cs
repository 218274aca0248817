using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Text;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>
/// <c>/nzbs/&lt;category&gt;</c> and <c>/torrents/&lt;category&gt;</c>: a file dropped here is queued as a job. Lists jobs that are
/// waiting, running or failed; a failed one has a note beside it with the reason. Deleting a file removes its job from the queue. A packed
/// upload (gzip, bzip2, zip) appears as the .nzb files inside.
/// </summary>
internal sealed class DropCollection(CatalogItem item, DropPlace place, string? category, DropDesk desk) : IStoreCollection
{
    private const string NoteEnding = ".failed.txt";

    // The longest name that Linux and most file systems allow, in bytes of UTF-8.
    private const int LongestName = 255;

    public string Name => item.Name;

    public DateTimeOffset CreatedAt => StableDate.Of(item.Created);

    public DateTimeOffset ModifiedAt => StableDate.Of(item.Modified);

    public string ETag => item.ETag;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    private JobFilter Unfinished => JobFilter.Unfinished(category ?? desk.Drop.DefaultCategory) with { Kinds = place.Kinds };

    private string PendingKey => $"{place.Folder}/{category}";

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var pending in desk.Pending.List(PendingKey))
            yield return pending;
        if (category is null)
        {
            await foreach (var child in desk.Tree.ListAsync(item.Id, after: null, cancellationToken))
            {
                if (child.IsCollection)
                    yield return desk.Collection(child, place, child.Name);
            }

            yield break;
        }

        // Jobs may have equal names: only the first one in the queue is listed.
        var seen = new HashSet<string>(StringComparer.Ordinal);
        await foreach (var job in desk.Jobs.List.EachAsync(Unfinished, cancellationToken))
        {
            var name = job.Name + place.EndingOf(job.Kind);
            if (!seen.Add(name))
                continue;
            if (desk.Pending.Find(PendingKey, name) is null)
                yield return new DroppedFile(job, name, desk.Blobs);
            if (job.State == JobState.Failed)
                yield return new FailureNote(job, NoteName(job));
        }
    }

    public async ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken)
    {
        var isJunk = JunkNames.IsJunk(name);
        var match = place.Match(name);
        if (!isJunk && match is null && !IsPacked(name))
            return StoreWriteResult.Invalid(place.Refusal);
        if (isJunk || await IsEmptyAsync(body, length, cancellationToken))
            return await KeepAsync(name, body, cancellationToken);
        try
        {
            await using var stream = body.AsStream(leaveOpen: true);
            var taken = await desk.Drop.AddAsync(name, category, stream, cancellationToken);
            var isTaken = taken.Result.Status == StoreWriteStatus.Created;
            var replaced = isTaken && desk.Pending.Remove(PendingKey, name);
            foreach (var job in taken.Jobs)
                replaced |= await DeleteFormerAsync(job, cancellationToken);
            if (!isTaken)
                return taken.Result;

            // A packed upload, or one that made no job because the post already exists under another name.
            if (match is null || await GetChildAsync(name, cancellationToken) is null)
                desk.RecentUploads.Put(PendingKey,
                    new RecentUpload(
                        name, taken.Length, desk.Time.GetUtcNow(), match is null ? [.. taken.Jobs.Select(job => job.Id)] : []));
            return replaced ? StoreWriteResult.Replaced : taken.Result;
        }
        catch (CatalogException e)
        {
            return CatalogAnswer.To(e);
        }
    }

    public async ValueTask<StoreWriteResult> CreateCollectionAsync(string name, CancellationToken cancellationToken)
    {
        if (category is not null)
            return StoreWriteResult.Forbidden;
        if (!desk.Drop.IsCategory(name))
            return StoreWriteResult.Invalid("A category cannot have that name.");
        await desk.EnsureRootsAsync([name], cancellationToken);
        return StoreWriteResult.Created;
    }

    public async ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        if (desk.Pending.Remove(PendingKey, name))
            return StoreWriteResult.Deleted;
        if (desk.RecentUploads.Find(PendingKey, name) is { } upload)
            return await DeleteAsync(upload, cancellationToken);
        if (await FindByFileNameAsync(name, cancellationToken) is not { } job)
            return category is null ? StoreWriteResult.Forbidden : StoreWriteResult.NotFound;
        return await desk.Jobs.DeleteAsync(job.Id, withContent: false, cancellationToken)
            ? StoreWriteResult.Deleted : StoreWriteResult.NotFound;
    }

    /// <summary>The child of that name, or a recent upload that is no longer listed; null if there is none.</summary>
    public async ValueTask<IStoreItem?> GetChildAsync(string name, CancellationToken cancellationToken)
    {
        if (desk.Pending.Find(PendingKey, name) is { } pending)
            return pending;
        if (desk.RecentUploads.Find(PendingKey, name) is { } upload)
            return upload;
        if (category is null)
            return null;
        var match = place.Match(name);
        if (await FindByFileNameAsync(name, cancellationToken) is { } job)
            return match is not null
                ? new DroppedFile(job, name, desk.Blobs) : job.State == JobState.Failed ? new FailureNote(job, name) : null;
        return match is { } done && await FindJustDoneAsync(name[..^done.Ending.Length], done.Kind, cancellationToken) is { } last
            ? new DroppedFile(last, name, desk.Blobs) : null;
    }

    private bool IsPacked(string name) => Array.Exists(place.Packings, suffix => name.EndsWith(suffix, StringComparison.OrdinalIgnoreCase));

    /// <summary>The note's name: the job's name, truncated between characters where it would exceed <see cref="LongestName"/>.</summary>
    private string NoteName(CatalogJob job)
    {
        var suffix = place.EndingOf(job.Kind) + NoteEnding;
        var room = LongestName - suffix.Length;
        if (Encoding.UTF8.GetByteCount(job.Name) <= room)
            return job.Name + suffix;
        var kept = 0;
        foreach (var rune in job.Name.EnumerateRunes())
        {
            room -= rune.Utf8SequenceLength;
            if (room < 0)
                break;
            kept += rune.Utf16SequenceLength;
        }

        return job.Name[..kept] + suffix;
    }

    private static async ValueTask<bool> IsEmptyAsync(PipeReader body, long? length, CancellationToken cancellationToken)
    {
        if (length is { } known)
            return known == 0;
        var read = await body.ReadAsync(cancellationToken);
        body.AdvanceTo(read.Buffer.Start);
        return read.IsCompleted && read.Buffer.IsEmpty;
    }

    /// <summary>
    /// Deletes the unfinished job that an upload replaces; a refused upload replaces only a failed one. Only an older job is replaced, so
    /// that two simultaneous uploads never remove each other.
    /// </summary>
    private async ValueTask<bool> DeleteFormerAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        var former = Unfinished with { Name = job.Name, Kinds = [job.Kind] };
        await foreach (var other in desk.Jobs.List.EachAsync(
            job.State == JobState.Failed ? former with { Standings = [JobStatus.Failed] } : former, cancellationToken))
        {
            if (other.Id < job.Id)
                return await desk.Jobs.DeleteAsync(other.Id, withContent: false, cancellationToken);
        }

        return false;
    }

    /// <summary>Removes the queued jobs of a packed upload; its imported jobs stay.</summary>
    private async ValueTask<StoreWriteResult> DeleteAsync(RecentUpload upload, CancellationToken cancellationToken)
    {
        desk.RecentUploads.Remove(PendingKey, upload.Name);
        var unfinished = new List<long>();
        await foreach (var job in desk.Jobs.List.EachAsync(Unfinished, cancellationToken))
        {
            if (upload.Jobs.Contains(job.Id))
                unfinished.Add(job.Id);
        }

        foreach (var id in unfinished)
            await desk.Jobs.DeleteAsync(id, withContent: false, cancellationToken);
        return StoreWriteResult.Deleted;
    }

    private async ValueTask<StoreWriteResult> KeepAsync(string name, PipeReader body, CancellationToken cancellationToken)
    {
        using var bytes = new MemoryStream();
        while (true)
        {
            var read = await body.ReadAsync(cancellationToken);
            foreach (var memory in read.Buffer)
                bytes.Write(memory.Span);
            body.AdvanceTo(read.Buffer.End);
            if (bytes.Length > PendingUploads.MaxLength)
                return StoreWriteResult.TooLarge;
            if (read.IsCompleted)
                return desk.Pending.Put(PendingKey, name, bytes.ToArray()) ? StoreWriteResult.Created : StoreWriteResult.Replaced;
        }
    }

    /// <summary>
    /// A job that was completed a moment ago and is no longer listed. Clients such as rclone check a file right after writing it, and write
    /// it again if it is missing.
    /// </summary>
    private async ValueTask<CatalogJob?> FindJustDoneAsync(string jobName, JobKind kind, CancellationToken cancellationToken)
    {
        var filter = Unfinished with { Standings = [JobStatus.Completed], Name = jobName, Kinds = [kind] };
        await foreach (var job in desk.Jobs.List.EachAsync(filter, newestFirst: true, cancellationToken))
            return desk.Time.GetUtcNow() - job.Finished < RecentUploads.StaysReachable ? job : null;
        return null;
    }

    /// <summary>The unfinished job of a dropped file or of a note.</summary>
    private async ValueTask<CatalogJob?> FindByFileNameAsync(string name, CancellationToken cancellationToken)
    {
        if (place.Match(name) is { } match)
            return await FindAsync(name[..^match.Ending.Length], match.Kind, cancellationToken);
        if (!name.EndsWith(NoteEnding, StringComparison.Ordinal) || place.Match(name[..^NoteEnding.Length]) is not { } noted)
            return null;
        if (await FindAsync(name[..^(noted.Ending.Length + NoteEnding.Length)], noted.Kind, cancellationToken) is { } job)
            return job;

        // The name may have been truncated.
        if (Encoding.UTF8.GetByteCount(name) <= LongestName - 4)
            return null;
        await foreach (var other in desk.Jobs.List.EachAsync(Unfinished with { Standings = [JobStatus.Failed] }, cancellationToken))
        {
            if (NoteName(other) == name)
                return other;
        }

        return null;
    }

    private async ValueTask<CatalogJob?> FindAsync(string jobName, JobKind kind, CancellationToken cancellationToken)
    {
        await foreach (var job in desk.Jobs.List.EachAsync(Unfinished with { Name = jobName, Kinds = [kind] }, cancellationToken))
            return job;
        return null;
    }
}
