namespace NzbDav.Catalog.Jobs;

/// <summary>What a list of jobs is sorted by.</summary>
public enum JobListSort
{
    /// <summary>The queue as workers take it, then what ended, latest first.</summary>
    Turn,

    /// <summary>The name, whatever the case of ASCII letters.</summary>
    Name,

    /// <summary>Bytes of all files.</summary>
    Size,

    /// <summary>When they came.</summary>
    Added,

    /// <summary>When they ended; what has not ended comes as if it ended now.</summary>
    Finished,

    /// <summary>The category, then the name.</summary>
    Category,
}
