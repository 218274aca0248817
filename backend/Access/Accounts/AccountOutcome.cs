namespace NzbDav.Access.Accounts;

/// <summary>What became of a change to the users.</summary>
public enum AccountOutcome
{
    /// <summary>Done.</summary>
    Done,

    /// <summary>The name or password is not acceptable.</summary>
    Unacceptable,

    /// <summary>Somebody has the name.</summary>
    NameTaken,

    /// <summary>There is nobody of that name.</summary>
    NotFound,

    /// <summary>The last administrator stays one.</summary>
    LastAdministrator,

    /// <summary>There is a first user already.</summary>
    AlreadySetUp,
}
