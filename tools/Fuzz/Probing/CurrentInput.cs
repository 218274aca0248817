using System.Buffers.Binary;
using System.IO.MemoryMappedFiles;

namespace NzbDav.Fuzz.Probing;

/// <summary>
/// Stores the input being parsed in a file that outlives the process, so that its parent finds the input that ended it. Written by the
/// parsing thread, watched by <see cref="HangWatch"/>.
/// </summary>
internal sealed class CurrentInput : IDisposable
{
    private const int Largest = 4 << 20;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private long _run;

    /// <param name="path">The file; created if it does not exist.</param>
    public CurrentInput(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, mapName: null, Largest + sizeof(int));
        _view = _file.CreateViewAccessor();
    }

    /// <summary>Number of the current run: odd during a run, even between two.</summary>
    public long Run => Volatile.Read(ref _run);

    /// <summary>Reads the input that a process was parsing when it ended.</summary>
    public static byte[] Read(string path)
    {
        var bytes = File.ReadAllBytes(path);
        return bytes.AsSpan(sizeof(int), BinaryPrimitives.ReadInt32LittleEndian(bytes)).ToArray();
    }

    /// <summary>Called when a run begins.</summary>
    public void Begin(byte[] input)
    {
        _view.WriteArray(sizeof(int), input, 0, input.Length);
        _view.Write(0, input.Length);
        Volatile.Write(ref _run, _run + 1);
    }

    /// <summary>Called when a run has ended.</summary>
    public void End() => Volatile.Write(ref _run, _run + 1);

    /// <inheritdoc/>
    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}
