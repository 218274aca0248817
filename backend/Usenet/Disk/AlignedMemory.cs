using System.Runtime.InteropServices;

namespace NzbDav.Usenet.Disk;

/// <summary>Memory outside of the heap at an address that O_DIRECT takes. Owned by one thread.</summary>
internal sealed unsafe class AlignedMemory : IDisposable
{
    private void* _pointer;
    private int _size;

    /// <summary>At least so many bytes; what was in it before is lost when it grows.</summary>
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
