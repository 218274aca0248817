using NzbDav.Migration.Altmount;
using NzbDav.Migration.Nzbdav;
using NzbDav.Migration.Sabnzbd;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration;

/// <summary>Opens other programs' libraries.</summary>
public static class OldLibraries
{
    /// <summary>Opens a library.</summary>
    /// <param name="product">The program.</param>
    /// <param name="path">Its configuration folder, or its database in that folder.</param>
    /// <exception cref="MigrationException">There is none, it is damaged, or its version is not known.</exception>
    public static OldLibrary Open(OldProduct product, string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var folder = Path.GetFullPath(path);
        if (File.Exists(folder))
            folder = Path.GetDirectoryName(folder)!;
        if (!Directory.Exists(folder))
            throw new MigrationException($"{path} is not there. Name the folder that the other program keeps its configuration in.");
        return product switch
        {
            OldProduct.Altmount => AltmountLibrary.Open(folder),
            OldProduct.Sabnzbd => SabnzbdLibrary.Open(folder),
            _ => NzbdavLibrary.Open(folder),
        };
    }
}

/// <summary>Programs whose libraries can be migrated.</summary>
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
