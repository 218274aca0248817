using BenchmarkDotNet.Attributes;
using NzbDav.Archives.Recovery.Galois;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench;

/// <summary>
/// How many bytes of slices per second does each kernel multiply and add, on one thread? Sixteen sources for one target, as in a repair.
/// </summary>
public class SliceRepair : IThroughput
{
    private const int Sources = 16;
    private const int Part = 16 << 10;

    private readonly byte[] _target = new byte[Part];
    private readonly byte[] _sources = new byte[Sources * Part];
    private GaloisMultiplier[] _factors = [];
    private GaloisKernel _kernel = GaloisKernel.Best;

    /// <summary>The kernels that this processor supports.</summary>
    public static IEnumerable<string> Kernels => GaloisKernel.All.Select(static kernel => kernel.Name);

    /// <summary>The measured kernel.</summary>
    [ParamsSource(nameof(Kernels))]
    public string Kernel { get; set; } = "";

    public long Bytes => _sources.Length;

    [GlobalSetup]
    public void Setup()
    {
        _kernel = GaloisKernel.All.Single(kernel => kernel.Name == Kernel);
        new Random(1).NextBytes(_sources);
        _factors = [.. Enumerable.Range(2, Sources).Select(i => _kernel.Prepare((ushort)(i * 3001)))];
    }

    [Benchmark]
    [AllocationBudget(0)]
    public void Add() => _kernel.Add(_target, _sources, Part, _factors);
}
