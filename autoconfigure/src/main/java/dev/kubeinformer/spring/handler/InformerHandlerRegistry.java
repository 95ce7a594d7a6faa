package dev.kubeinformer.spring.handler;

import java.util.Collection;

/**
 * The handlers of the application context. They are known once all singletons are
 * created.
 */
public interface InformerHandlerRegistry {

	/**
	 * Returns the container of one handler.
	 * @param id the id of the handler
	 * @return the container
	 * @throws IllegalArgumentException if no handler has that id
	 */
	InformerHandlerContainer get(String id);

	/**
	 * Returns all containers.
	 * @return an unmodifiable collection in the order of the bean definitions
	 */
	Collection<InformerHandlerContainer> all();

}
