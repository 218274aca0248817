using System.Text.RegularExpressions;

namespace NzbDav.Arr.Queue;

/// <summary>A rule for stuck downloads: which ones it applies to, and what to do with them. Immutable and thread-safe.</summary>
public sealed record QueueRule
{
    private readonly Regex _pattern;

    /// <param name="name">Name of the rule in logs and settings.</param>
    /// <param name="pattern">A regular expression for one message of the application; case is ignored. No look-around or back-references,
    /// so that it takes linear time.</param>
    /// <param name="action">What to do.</param>
    /// <exception cref="ArgumentException">The pattern is invalid; see <see cref="PatternProblem"/>.</exception>
    public QueueRule(string name, string pattern, QueueAction action)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        if (PatternProblem(pattern) is { } problem)
            throw new ArgumentException(problem, nameof(pattern));
        (Name, Pattern, Action) = (name, pattern, action);
        _pattern = Compile(pattern);
    }

    /// <summary>Name of the rule.</summary>
    public string Name { get; }

    /// <summary>The regular expression.</summary>
    public string Pattern { get; }

    /// <summary>What to do.</summary>
    public QueueAction Action { get; }

    /// <summary>
    /// The built-in rules, in order; the first match counts. The texts are those of Sonarr, Radarr and Lidarr. Downloads with a temporary
    /// problem, or that need a decision by the user, are left alone, and so are those that no rule matches.
    /// </summary>
    public static IReadOnlyList<QueueRule> Defaults { get; } =
    [
        new("manual choice", "automatic import is not possible|manual import required|unable to determine|wasn't grabbed by",
            QueueAction.Leave),
        new("disk and paths", "not enough free space|not a valid (local )?path|directory does not exist|access.* denied|permission",
            QueueAction.Leave),
        new("cannot be opened", "unexpected error processing file", QueueAction.Warn),
        new("already there", "already imported", QueueAction.Remove),
        new("no upgrade", @"not (an?|a custom format|a quality revision) upgrade for existing|not an upgrade", QueueAction.Blocklist),
        new("dangerous", "dangerous file|executable file|invalid extension", QueueAction.BlocklistAndSearch),
        new("archive", "found archive file", QueueAction.BlocklistAndSearch),
        new("nothing to import", "no files found are eligible for import|no (audio|video|media) (tracks|files?)|no files to import",
            QueueAction.BlocklistAndSearch),
        new("sample", @"^sample\b|is a sample", QueueAction.BlocklistAndSearch),
        new("something else", "unexpected considering|title mismatch|invalid season or episode|unable to parse|has missing tracks",
            QueueAction.BlocklistAndSearch),
        new("encrypted", "encrypted|password protected", QueueAction.BlocklistAndSearch),
    ];

    /// <summary>What is wrong with a pattern; null if it is valid.</summary>
    public static string? PatternProblem(string pattern)
    {
        if (string.IsNullOrWhiteSpace(pattern))
            return "An empty pattern would match every download.";
        try
        {
            return Compile(pattern).IsMatch(string.Empty) ? $"\"{pattern}\" matches everything." : null;
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            return $"\"{pattern}\" cannot be used: {e.Message}";
        }
    }

    /// <summary>True if the rule matches a message.</summary>
    public bool Matches(string message) => _pattern.IsMatch(message);

    private static Regex Compile(string pattern) =>
        new(pattern, RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking, TimeSpan.FromSeconds(1));
}

/// <summary>What a rule does with a stuck download.</summary>
public enum QueueAction
{
    /// <summary>Nothing, and later rules are skipped: the user has to decide.</summary>
    Leave,

    /// <summary>Nothing, and the user is notified: something is wrong on this side.</summary>
    Warn,

    /// <summary>Removes it from the queue and the download client; the release may be grabbed again.</summary>
    Remove,

    /// <summary>Removes it and blocklists its release, without a search.</summary>
    Blocklist,

    /// <summary>Removes it, blocklists its release and searches for another one.</summary>
    BlocklistAndSearch,
}
