using ZstdSharp;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>zstd in one step, with or without a trained dictionary: an alternative that the catalog could use.</summary>
internal sealed class TrainedZstandard : IDisposable
{
    private readonly Compressor _compressor;
    private readonly Decompressor _decompressor = new();

    /// <param name="level">The level, as in <c>zstd -LEVEL</c>.</param>
    /// <param name="dictionary">A dictionary made by <see cref="Train"/>; null for none.</param>
    public TrainedZstandard(int level, byte[]? dictionary)
    {
        _compressor = new Compressor(level);
        if (dictionary is null)
            return;
        _compressor.LoadDictionary(dictionary);
        _decompressor.LoadDictionary(dictionary);
    }

    /// <summary>Trains a dictionary from samples.</summary>
    public static byte[] Train(IReadOnlyList<byte[]> samples, int size) => DictBuilder.TrainFromBuffer(samples, size);

    public byte[] Compress(byte[] content) => _compressor.Wrap(content).ToArray();

    public byte[] Decompress(byte[] packed, int length)
    {
        var target = new byte[length];
        Assert.Equal(length, _decompressor.Unwrap(packed, target));
        return target;
    }

    public void Dispose()
    {
        _compressor.Dispose();
        _decompressor.Dispose();
    }
}
