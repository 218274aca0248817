namespace NzbDav.Import.Intake;

/// <summary>Reads bits from a stream, the most significant first.</summary>
internal sealed class BzipBits(Stream source)
{
    private readonly byte[] _buffer = new byte[64 << 10];
    private int _start;
    private int _end;
    private ulong _bits;
    private int _count;

    /// <summary>True if no whole byte is left. Valid only at a byte boundary.</summary>
    public bool AtEnd => _count < 8 && _start == _end && !Fill();

    /// <param name="count">1 … 32.</param>
    public uint Read(int count)
    {
        while (_count < count)
        {
            if (_start == _end && !Fill())
                throw new InvalidDataException("it ends too early.");
            _bits = _bits << 8 | _buffer[_start++];
            _count += 8;
        }

        _count -= count;
        return (uint)(_bits >> _count) & (uint)((1UL << count) - 1);
    }

    public bool ReadBit() => Read(1) != 0;

    public ulong Read48() => (ulong)Read(24) << 24 | Read(24);

    public void AlignToByte() => _count -= _count % 8;

    private bool Fill()
    {
        _start = 0;
        _end = source.Read(_buffer);
        return _end > 0;
    }
}
