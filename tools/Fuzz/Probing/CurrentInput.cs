using System.Buffers.Binary;
using System.IO.MemoryMappedFiles;

namespace NzbDav.Fuzz.Probing;

/// <summary>
/// What is being parsed, in a file that outlives the process: whoever started it finds there what ended it. Written by the thread that parses, watched by
/// <see cref="HangWatch"/>.
/// </summary>
internal sealed class CurrentInput : IDisposable
{
    private const int Largest = 4 << 20;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private long _run;

    /// <param name="path">Made if it is not there.</param>
    public CurrentInput(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, mapName: null, Largest + sizeof(int));
        _view = _file.CreateViewAccessor();
    }

    /// <summary>The number of the run under way, odd; even between two.</summary>
    public long Run => Volatile.Read(ref _run);

    /// <summary>What the process was parsing when it ended.</summary>
    public static byte[] Read(string path)
    {
        var bytes = File.ReadAllBytes(path);
        return bytes.AsSpan(sizeof(int), BinaryPrimitives.ReadInt32LittleEndian(bytes)).ToArray();
    }

    /// <summary>A run begins.</summary>
    public void Begin(byte[] input)
    {
        _view.WriteArray(sizeof(int), input, 0, input.Length);
        _view.Write(0, input.Length);
        Volatile.Write(ref _run, _run + 1);
    }

    /// <summary>It has ended.</summary>
    public void End() => Volatile.Write(ref _run, _run + 1);

    /// <inheritdoc/>
    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}
