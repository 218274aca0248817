using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <summary>Publishes the files of a claimed job inside a transaction.</summary>
internal sealed class JobPublisher(CatalogTransaction transaction, CatalogIds ids, BlobCollector collector, long now)
{
    private readonly TreeWriter _tree = new(transaction, ids, now);

    /// <summary>Returns null, and rolls back, if the lease on the job was lost.</summary>
    public CatalogItem? Publish(CatalogJob job, string name, PublicationPlan plan, IReadOnlyList<StepTiming> timings)
    {
        var category = Complete(job, plan, timings);
        if (category is null)
        {
            transaction.Abandon();
            return null;
        }

        collector.ThrowIfMissing(transaction, plan.PutBlobs);
        MapRows.Add(transaction, plan.Files.Select(file => file.ExtentMap));
        var content = Collection(CatalogItem.RootId, JobStore.ContentCollection, jobId: null);
        var parent = Collection(content.Id, category, jobId: null);
        var root = Collection(parent.Id, FreeName(parent.Id, name), job.Id);
        AddFiles(root.Id, job.Id, plan);
        transaction.Execute("UPDATE jobs SET item_id = @item WHERE id = @Id", new { item = root.Id, job.Id });
        new JobChange(job.Id, JobState.Completed).Notify(transaction);
        return root;
    }

    private string? Complete(CatalogJob job, PublicationPlan plan, IReadOnlyList<StepTiming> timings) => transaction.First<string>(
        "UPDATE jobs SET state = 'completed', finished = @now, owner = NULL, lease_until = NULL, progress = 1000, total_bytes = @total, " +
        "file_count = @count, timings = @timings, failure_code = NULL, failure_message = NULL " +
        "WHERE id = @Id AND state = 'running' AND owner = @Owner AND attempts = @Attempts RETURNING category",
        new
        {
            now,
            total = plan.Files.Sum(file => file.Size),
            count = plan.Files.Count,
            timings = StepTiming.Format(timings),
            job.Id,
            job.Owner,
            job.Attempts
        });

    private CatalogItem Collection(long parentId, string name, long? jobId)
        => _tree.EnsureCollection(parentId, name, jobId) is { Item: { IsCollection: true } item }
            ? item
            : throw new InvalidOperationException($"A file is in the way at '{name}'.");

    private string FreeName(long parentId, string name)
    {
        var free = name;
        for (var number = 2; _tree.Child(parentId, free) is not null; number++)
            free = CatalogNames.WithNumber(name, number);
        return free;
    }

    private void AddFiles(long rootId, long jobId, PublicationPlan plan)
    {
        var made = new Dictionary<string, long>(StringComparer.Ordinal) { [""] = rootId };
        foreach (var path in plan.Collections)
            made[PublicationPlan.Key(path)] = Collection(made[PublicationPlan.Key(path.SkipLast(1))], path[^1], jobId).Id;
        var files = plan.Files.Select(
            file => (Published: file, Row: _tree.NewFile(rootId, made[PublicationPlan.Key(file.Path.SkipLast(1))], file, jobId))).ToArray();
        _tree.AddFiles(files.Select(static file => file.Row));
        transaction.ExecuteAll(
            "INSERT INTO patched_items (item_id, post) VALUES (@Id, @Post)",
            files.SelectMany(static file => file.Published.PatchedPosts.Select(post => new { file.Row.Id, Post = post })));
        transaction.ExecuteAll(
            "INSERT INTO repairs (item_id, article, until, providers) VALUES (@Id, @Lost, 0, '')",
            files.Where(static file => file.Published.MissingArticle is not null).Select(static file =>
            new { file.Row.Id, Lost = file.Published.MissingArticle }));
        AliasRows.ResolveJob(
            transaction, jobId, () => [.. files.Select(
                static file => new PlacedFile(file.Row.Id, file.Row.Name, file.Row.Size, file.Published.FirstArticle))], now);
        TorrentLayouts.Add(transaction,
            files.Where(static file => file.Published.Layout is not null).Select(static file => (file.Row.Id, file.Published.Layout!)));
    }
}
