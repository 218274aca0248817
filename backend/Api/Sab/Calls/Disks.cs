using NzbDav.Catalog.Settings;

namespace NzbDav.Api.Sab.Calls;

/// <summary>Space on the disk that holds the configuration folder. The content takes no space: it stays with the providers.</summary>
internal sealed class Disks(Live<SabOptions> options)
{
    /// <summary>Free and total bytes; zeros when the system does not say.</summary>
    public (long Free, long Total) Space
    {
        get
        {
            try
            {
                var drive = new DriveInfo(options.Value.ConfigFolder);
                return (drive.AvailableFreeSpace, drive.TotalSize);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
            {
                return (0, 0);
            }
        }
    }
}
