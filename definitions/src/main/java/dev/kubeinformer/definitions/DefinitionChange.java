package dev.kubeinformer.definitions;

import org.jspecify.annotations.Nullable;

/**
 * Difference between two states of a CustomResourceDefinition.
 *
 * @param definition the name of the definition, such as {@code widgets.example.com}
 * @param version the version whose schema or attributes differ; {@code null} for the
 * whole definition
 * @param path the path of a field in an object, such as {@code .spec.ports[*].name}, or
 * of an attribute of the definition, such as {@code spec.scope}
 * @param difference the difference, such as {@code was removed}
 * @param breaking whether stored objects or clients can break
 * @param remedy the way to make the same change without breaking anything; empty for a
 * compatible change
 */
public record DefinitionChange(String definition, @Nullable String version, String path, String difference,
		boolean breaking, String remedy) {

	/**
	 * Returns the subject of the change: definition, version and path.
	 * @return the subject
	 */
	public String subject() {
		return (this.version != null) ? "%s %s %s".formatted(this.definition, this.version, this.path)
				: "%s %s".formatted(this.definition, this.path);
	}

	/**
	 * Returns the change as one line, without the remedy.
	 */
	@Override
	public String toString() {
		return subject() + " " + this.difference;
	}

}
