namespace NzbDav.Archives.Layouts;

/// <summary>How sure it is that the password is the right one; a higher value is better proof.</summary>
public enum PasswordProof
{
    /// <summary>Nothing could be checked: the format keeps no check value, the only password there was was taken.</summary>
    Unproved,

    /// <summary>What was decrypted begins like the type of file that its name promises, or like another type with a long signature.</summary>
    Magic,

    /// <summary>A whole small file has the checksum that the archive keeps.</summary>
    Checksum,

    /// <summary>Headers were decrypted and have the right checksum.</summary>
    Headers,

    /// <summary>The format's own check value agrees.</summary>
    CheckValue,

    /// <summary>Nothing in the archive is encrypted.</summary>
    NotNeeded,
}
