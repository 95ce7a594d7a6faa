package dev.kubeinformer.spring.autoconfigure.properties;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a setting has the place of the id of a reconciler.
 */
class MisplacedReconcilerSettingException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	MisplacedReconcilerSettingException(String where, @Nullable String meant) {
		super("%s is a setting, not an id of a reconciler".formatted(where),
				((meant != null) ? "Did you mean '%s'? ".formatted(meant) : "")
						+ "What holds for all reconcilers is below 'kubernetes.reconcilers.defaults', "
						+ "what holds for one below 'kubernetes.reconcilers.<id>'.");
	}

}
