namespace NzbDav.Archives.Layouts;

/// <summary>How certain the password is; a higher value is better proof.</summary>
public enum PasswordProof
{
    /// <summary>Nothing could be checked: the format keeps no check value, and there was only one password to use.</summary>
    Unproved,

    /// <summary>The decrypted bytes begin like the type of file that the name implies, or like another type with a long signature.</summary>
    Magic,

    /// <summary>A whole small file has the checksum that is stored in the archive.</summary>
    Checksum,

    /// <summary>Headers were decrypted and have the right checksum.</summary>
    Headers,

    /// <summary>The format's own check value agrees.</summary>
    CheckValue,

    /// <summary>Nothing in the archive is encrypted.</summary>
    NotNeeded,
}
