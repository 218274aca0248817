using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary>Space on the disk with the configuration folder: content takes none, it stays with the providers.</summary>
internal sealed class Disks(Live<SabOptions> options)
{
    /// <summary>Bytes free and in all; zeros when the system does not say.</summary>
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
