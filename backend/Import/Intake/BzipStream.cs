namespace NzbDav.Import.Intake;

/// <summary>
/// Decompresses bzip2, forward only, including several streams one after the other, as pbzip2 writes them. The format bounds the memory: 4
/// bytes for each of at most 900,000 bytes of a block. .NET has no decoder for bzip2. Owns nothing: the source stays open.
/// </summary>
/// <remarks>The format: https://github.com/dsnet/compress/blob/master/doc/bzip2-format.pdf (J. Tsai, 2016).</remarks>
/// <exception cref="InvalidDataException">Thrown by reads: the data are damaged or end too early.</exception>
internal sealed class BzipStream(Stream source) : Stream
{
    private const ulong BlockMagic = 0x314159265359;
    private const ulong EndMagic = 0x177245385090;

    private readonly BzipBits _bits = new(source);
    private readonly BzipBlock _block = new();
    private int _blockSize;
    private uint _streamCrc;
    private bool _ended;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        if (buffer.IsEmpty)
            return 0;
        while (!_ended)
        {
            var read = _block.Read(buffer);
            if (read > 0)
                return read;
            NextBlock();
        }

        return 0;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private void NextBlock()
    {
        if (_blockSize == 0 && !Begin(first: true))
            throw new InvalidDataException("it is not a bzip2 stream.");
        if (_block.HasRun)
            _streamCrc = (_streamCrc << 1 | _streamCrc >> 31) ^ _block.VerifyCrc();
        switch (_bits.Read48())
        {
            case BlockMagic:
                _block.Decode(_bits, _blockSize);
                break;
            case EndMagic:
                if (_bits.Read(32) != _streamCrc)
                    throw new InvalidDataException("the checksum of the stream is wrong.");
                _bits.AlignToByte();
                _ended = !Begin(first: false);
                break;
            default:
                throw new InvalidDataException("a block has no valid signature.");
        }
    }

    /// <summary>
    /// Reads the header of a stream, <c>BZh1</c> … <c>BZh9</c>: the block size in 100,000 bytes. False if no stream begins here.
    /// </summary>
    private bool Begin(bool first)
    {
        if (!first && _bits.AtEnd)
            return false;
        var magic = _bits.Read(24);
        var level = (int)_bits.Read(8) - '0';
        if (magic != 0x425A68 || level is < 1 or > 9)
            return first ? false : throw new InvalidDataException("it is followed by other data.");
        _blockSize = level * 100_000;
        _streamCrc = 0;
        return true;
    }
}

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
