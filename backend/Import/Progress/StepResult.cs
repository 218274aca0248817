using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Import.Progress;

/// <summary>The result of a step, or why it failed.</summary>
/// <param name="Value">Null on failure.</param>
/// <param name="Failure">Null on success.</param>
internal readonly record struct StepResult<T>(T? Value, ImportFailure? Failure)
    where T : class
{
    [MemberNotNullWhen(true, nameof(Value))]
    [MemberNotNullWhen(false, nameof(Failure))]
    public bool Succeeded => Failure is null;

    public static implicit operator StepResult<T>(T value) => new(value, Failure: null);

    public static implicit operator StepResult<T>(ImportFailure failure) => new(Value: null, failure);
}
