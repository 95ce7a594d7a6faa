package dev.kubeinformer.test;

/**
 * The name under which objects are stored: versions of one group and plural share it.
 *
 * @param group the API group, empty for the core group
 * @param plural the plural name of the resource, as in its path
 */
record GroupResource(String group, String plural) {

	/**
	 * Return the name that Kubernetes prints in messages, such as "deployments.apps".
	 */
	@Override
	public String toString() {
		return (this.group.isEmpty()) ? this.plural : this.plural + "." + this.group;
	}

}
