namespace NzbDav.Bench.Contract;

/// <summary>
/// What a benchmark may allocate. Every benchmark has one: the allocation column is a contract, which <c>--contract</c> checks.
/// </summary>
/// <param name="bytes">Bytes for each unit of <see cref="Per"/>; without that, for each call.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class AllocationBudgetAttribute(double bytes) : Attribute
{
    /// <summary>Bytes for each unit, or for each call.</summary>
    public double Bytes { get; } = bytes;

    /// <summary>Name of a property of the benchmark's class: the number of units that a call processes, such as segments. Null: the call is the unit.</summary>
    public string? Per { get; init; }

    /// <summary>Additional bytes for each call, regardless of the number of units. Default 0.</summary>
    public double Once { get; init; }
}
