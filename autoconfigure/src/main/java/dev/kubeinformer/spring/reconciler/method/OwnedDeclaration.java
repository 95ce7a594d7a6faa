package dev.kubeinformer.spring.reconciler.method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Declaration of objects that a reconciler's primaries own.
 *
 * @param model the model of the owned objects
 * @param annotation the annotation that narrows the objects; {@code null} if there is
 * none
 * @param where the code with the declaration, for messages
 */
public record OwnedDeclaration(ModelType model, @Nullable Owns annotation, String where) {

}
