package dev.kubeinformer.spring.handler.container;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when the id of a handler is taken.
 */
public class DuplicateHandlerIdException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	DuplicateHandlerIdException(HandlerOrigin origin, String id, String takenBy) {
		super("%s has the id '%s', which is taken by %s; case, '-' and '_' do not count".formatted(origin, id, takenBy),
				"Give the handler another id: @InformerHandler(id = \"...\"). "
						+ "Handlers, reconcilers and informers are found by one id each; informers have the name of their resource.");
	}

}
