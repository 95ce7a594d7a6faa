package dev.kubeinformer.spring.handler.container;

/**
 * Where a handler comes from.
 *
 * @param beanName the name of its bean; its id if it is none
 * @param description what it is, for messages
 */
record HandlerOrigin(String beanName, String description) {

	@Override
	public String toString() {
		return this.description;
	}

}
