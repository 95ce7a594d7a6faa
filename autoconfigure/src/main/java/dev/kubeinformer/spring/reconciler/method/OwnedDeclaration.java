package dev.kubeinformer.spring.reconciler.method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Place where a reconciler says what its primaries own.
 *
 * @param model the model of the owned objects
 * @param annotation narrows them; {@code null} if there is none
 * @param where the place, for messages
 */
public record OwnedDeclaration(ModelType model, @Nullable Owns annotation, String where) {

}
