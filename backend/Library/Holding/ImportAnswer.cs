namespace NzbDav.Library.Holding;

/// <summary>What a library says of a job that was given up.</summary>
public enum ImportAnswer
{
    /// <summary>The job is not its business, or it does not know the job.</summary>
    NotAsked,

    /// <summary>It sent the job here and took nothing of it, ever.</summary>
    Never,

    /// <summary>It took something of it, or may have.</summary>
    Imported,

    /// <summary>It could not be asked.</summary>
    Unknown,
}
