namespace NzbDav.WebDav.Files;

/// <summary>What the conditional headers say.</summary>
internal enum PreconditionOutcome
{
    /// <summary>Do as the method says.</summary>
    Proceed,

    /// <summary>304: the client has these bytes.</summary>
    NotModified,

    /// <summary>412: the item is not in the state that the client expects.</summary>
    Failed,
}
