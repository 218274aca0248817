namespace NzbDav.Access.Attempts;

/// <summary>What became of a password or key.</summary>
public enum AttemptOutcome
{
    /// <summary>It is right.</summary>
    Right,

    /// <summary>It is wrong.</summary>
    Wrong,

    /// <summary>It was not looked at: its address has guessed too often.</summary>
    Throttled,
}
