namespace NzbDav.Usenet.Nzb;

/// <summary>Packs message-ids one behind the other into blocks: one object per 1,500 ids instead of one per id.</summary>
internal sealed class NzbIdBlocks
{
    /// <summary>Bytes of a block: below the 85,000 from which arrays go to the large object heap.</summary>
    private const int BlockSize = 64 << 10;

    private byte[] _block = [];
    private int _used;

    public ReadOnlyMemory<byte> Add(ReadOnlySpan<byte> id)
    {
        if (_block.Length - _used < id.Length)
        {
            _block = GC.AllocateUninitializedArray<byte>(BlockSize);
            _used = 0;
        }

        id.CopyTo(_block.AsSpan(_used));
        var added = new ReadOnlyMemory<byte>(_block, _used, id.Length);
        _used += id.Length;
        return added;
    }
}
