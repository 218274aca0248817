using System.Runtime.InteropServices;

namespace NzbDav.Usenet.Disk;

/// <summary>Unmanaged memory at an address suitable for O_DIRECT. Owned by one thread.</summary>
internal sealed unsafe class AlignedMemory : IDisposable
{
    private void* _pointer;
    private int _size;

    /// <summary>Returns at least this many bytes; the previous contents are lost when it grows.</summary>
    public Span<byte> Take(int bytes)
    {
        if (bytes > _size)
        {
            Dispose();
            _pointer = NativeMemory.AlignedAlloc((nuint)bytes, CacheRecord.Block);
            _size = bytes;
        }

        return new Span<byte>(_pointer, bytes);
    }

    public void Dispose()
    {
        NativeMemory.AlignedFree(_pointer);
        _pointer = null;
        _size = 0;
    }
}
