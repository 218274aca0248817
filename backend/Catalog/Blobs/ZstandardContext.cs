using Microsoft.Win32.SafeHandles;

namespace NzbDav.Catalog.Blobs;

/// <summary>Owns a context of libzstd. Used by one caller at a time.</summary>
internal sealed class ZstandardContext : SafeHandleZeroOrMinusOneIsInvalid
{
    private readonly Action<nint> _free;

    public ZstandardContext(nint context, Action<nint> free)
        : base(ownsHandle: true)
    {
        _free = free;
        SetHandle(context);
        if (IsInvalid)
            throw new InvalidOperationException("libzstd has no memory for a context.");
    }

    protected override bool ReleaseHandle()
    {
        _free(handle);
        return true;
    }
}
