namespace NzbDav.Catalog.Health;

/// <summary>A row of <c>health_posts</c> with the names of its item, as the engine returns it.</summary>
internal sealed class HealthRow
{
    /// <summary>The columns, for a SELECT from <see cref="From"/>.</summary>
    public const string Columns =
        "post.item_id AS ItemId, job.name AS Name, category.name AS Category, job.created AS Created, post.verdict AS Verdict, " +
        "post.stage AS Stage, post.due AS Due, post.urgent AS Urgent, " +
        "post.checked AS Checked, post.checks AS Checks, post.whole AS Whole, post.place AS Place, post.articles AS Articles, post.had " +
        "AS Had, post.reason AS Reason, post.changed AS Changed, " +
        "post.kept AS Kept, " + Hiding + " AS Hidden, post.search AS Search, (SELECT COUNT(*) FROM health_gone WHERE " +
        "health_gone.item_id = post.item_id) AS Gone";

    /// <summary>Column of the table <c>post</c>: since when it is hidden because another post replaced it.</summary>
    public const string Hiding =
        "(SELECT unwanted.changed FROM unwanted WHERE unwanted.item_id = post.item_id AND unwanted.cause = 'replacement')";

    /// <summary>The tables of <see cref="Columns"/>.</summary>
    public const string From =
        "FROM health_posts post JOIN items job ON job.id = post.item_id JOIN items category ON category.id = job.parent_id";

    public long ItemId { get; set; }

    public string Name { get; set; } = "";

    public string Category { get; set; } = "";

    public long Created { get; set; }

    public string Verdict { get; set; } = "";

    public string Stage { get; set; } = "";

    public long Due { get; set; }

    public long Urgent { get; set; }

    public long? Checked { get; set; }

    public int Checks { get; set; }

    public long? Whole { get; set; }

    public int Place { get; set; }

    public int Articles { get; set; }

    public string Had { get; set; } = "";

    public string? Reason { get; set; }

    public long Changed { get; set; }

    public long? Kept { get; set; }

    public long? Hidden { get; set; }

    public string? Search { get; set; }

    public int Gone { get; set; }

    public static HealthRow Of(HealthPost post) => new()
    {
        ItemId = post.ItemId,
        Verdict = post.Verdict.ToString(),
        Stage = post.Stage.ToString(),
        Due = post.Due.UtcTicks,
        Urgent = post.Urgent ? 1 : 0,
        Checked = post.Checked?.UtcTicks,
        Checks = post.Checks,
        Whole = post.LastComplete?.UtcTicks,
        Place = post.Place,
        Articles = post.Articles,
        Had = string.Join('\n', post.Had),
        Reason = post.Reason,
        Changed = post.Changed.UtcTicks,
        Kept = post.Kept?.UtcTicks,
        Hidden = post.Hidden?.UtcTicks,
        Search = post.Search,
    };

    public HealthPost ToPost() => new()
    {
        ItemId = ItemId,
        Name = Name,
        Category = Category,
        Created = Time(Created),
        Verdict = Enum.Parse<HealthVerdict>(Verdict),
        Stage = Enum.Parse<HealthStage>(Stage),
        Due = Time(Due),
        Urgent = Urgent != 0,
        Checked = Time(Checked),
        Checks = Checks,
        LastComplete = Time(Whole),
        Place = Place,
        Articles = Articles,
        Had = Lines(Had),
        Reason = Reason,
        Changed = Time(Changed),
        Kept = Time(Kept),
        Hidden = Time(Hidden),
        Search = Search,
        Gone = Gone,
    };

    public static IReadOnlyList<string> Lines(string text) => text.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public static DateTimeOffset Time(long ticks) => new(ticks, TimeSpan.Zero);

    public static DateTimeOffset? Time(long? ticks) => ticks is { } value ? Time(value) : null;
}
