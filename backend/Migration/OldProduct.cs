namespace NzbDav.Migration;

/// <summary>Programs whose libraries can be brought over.</summary>
public enum OldProduct
{
    /// <summary>nzbdav up to 0.6.4, and its fork nzbdav2.</summary>
    Nzbdav,

    /// <summary>InfiniDysk, nzbdav's continuation.</summary>
    Infinidysk,

    /// <summary>altmount.</summary>
    Altmount,

    /// <summary>SABnzbd.</summary>
    Sabnzbd,
}
